/**
 * Starts to measure the CPU time of this process, which other work of a busy machine does not lengthen.
 * @returns a function that returns how much was used since then, in milliseconds
 */
export function startCpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
