/**
 * Starts to measure the CPU time of this process. Unlike elapsed time, it does not depend on the load of the
 * machine.
 * @returns a function that returns the CPU time since the start, in milliseconds
 */
export function startCpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
