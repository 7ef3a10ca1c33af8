import { Component, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { outcomes } from '../outcomes.js';

const read = async (name: string) => (await fetch(name)).json();

@Component({ selector: 'app-root', template: '<output>{{ shown() }}</output>' })
class App {
  readonly shown = signal('');

  constructor() {
    outcomes(read, (name: string) => name, 1)
      .catch(({ message }: Error) => ({ message }))
      .then((found: object) => this.shown.set(JSON.stringify(found)));
  }
}

bootstrapApplication(App);
