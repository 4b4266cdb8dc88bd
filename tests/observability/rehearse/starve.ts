import type { Product } from '@cellarman/local-stack';

/** Alternately stops and continues a process. The returned function lets it run. */
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
