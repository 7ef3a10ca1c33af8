'use client';

import { useEffect, useState } from 'react';
import { outcomes } from '../outcomes.js';

const read = async (name) => (await fetch(`/${name}`)).json();

export default function Page() {
  const [shown, show] = useState('');
  useEffect(() => {
    outcomes(read, (name) => `/${name}`, 1)
      .catch(({ message }) => ({ message }))
      .then((found) => show(JSON.stringify(found)));
  }, []);
  return <output>{shown}</output>;
}
