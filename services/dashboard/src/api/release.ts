import { useSyncExternalStore } from 'react';

/** A release replaces the files of the one before, so that an open page cannot load the rest of its own. */
let isUpdated = false;
const listeners = new Set<() => void>();

/** After a file failed to load, checks whether the service has another release than this page. */
export function watchRelease(): void {
  window.addEventListener('vite:preloadError', () => void compareRelease());
}

async function compareRelease(): Promise<void> {
  const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  const served = await servedPage();
  if (served === undefined || served.includes(entry)) return;
  isUpdated = true;
  for (const listener of listeners) listener();
}

/** Resolves with undefined if the service does not respond: then nothing is known about its release. */
async function servedPage(): Promise<string | undefined> {
  try {
    const response = await fetch('/', { cache: 'no-store' });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the service is known to have another release than this page. */
export function useUpdated(): boolean {
  return useSyncExternalStore(listen, () => isUpdated);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
