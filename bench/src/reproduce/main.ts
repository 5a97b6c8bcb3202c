export { runReproduce } from './command.ts';
