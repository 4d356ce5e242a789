/**
 * The number of rounds of a test whose faults are rare or need rare inputs.
 * @param few in `npm test`
 * @param many in `npm run test:all`
 */
export function rounds(few: number, many: number): number {
  return process.env.TEST_MANY_ROUNDS ? many : few;
}
