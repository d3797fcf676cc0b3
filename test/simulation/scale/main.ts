import { growthTable } from './growth.ts';

console.log(growthTable());
