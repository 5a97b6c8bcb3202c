// The module of sparse factorisation, with a memory of its own for every factor: what is thrown away with it.
export { factorise } from "./factorise";
export { solveOne, solveEight } from "./solve";
