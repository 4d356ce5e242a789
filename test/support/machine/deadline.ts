/** A deadline for reads, by the monotonic clock. @param milliseconds from now */
export function deadlineIn(milliseconds: number): number {
  return performance.now() + milliseconds;
}
