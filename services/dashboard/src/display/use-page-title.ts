import { useEffect } from 'react';

/** Sets the document title, from the most to the least specific part. */
export function usePageTitle(...parts: string[]): void {
  const title = [...parts, 'Cellarman'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
