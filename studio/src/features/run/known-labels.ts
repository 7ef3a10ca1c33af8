/** Classes of data sets that many models are trained on, in their order. Of handwritten digits the numbers are the names. */
export const KNOWN_LABELS: readonly { readonly id: string; readonly names: readonly string[] }[] = [
  { id: 'CIFAR-10', names: 'airplane automobile bird cat deer dog frog horse ship truck'.split(' ') },
  {
    id: 'Fashion-MNIST',
    names: 'T-shirt/top,Trouser,Pullover,Dress,Coat,Sandal,Shirt,Sneaker,Bag,Ankle boot'.split(','),
  },
];
