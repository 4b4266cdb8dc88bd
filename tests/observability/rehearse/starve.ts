import type { Product } from '@cellarman/local-stack';

/** Stops and continues a process in turns. The function that is given back lets it run. */
export function starve(
  product: Product,
  name: string,
  { stoppedMs, runningMs }: { stoppedMs: number; runningMs: number },
): () => void {
  let timer: NodeJS.Timeout;
  const stop = () => {
    product.kill(name, 0, 'SIGSTOP');
    timer = setTimeout(go, stoppedMs);
  };
  const go = () => {
    product.kill(name, 0, 'SIGCONT');
    timer = setTimeout(stop, runningMs);
  };
  stop();
  return () => {
    clearTimeout(timer);
    product.kill(name, 0, 'SIGCONT');
  };
}
