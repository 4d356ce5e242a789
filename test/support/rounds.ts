/**
 * How often a test tries what fails only now and then, or for few of many inputs.
 * @param few in `npm test`
 * @param many in `npm run test:all`
 */
export function rounds(few: number, many: number): number {
  return process.env.TEST_MANY_ROUNDS ? many : few;
}
