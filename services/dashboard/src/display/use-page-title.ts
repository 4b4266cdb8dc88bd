import { useEffect } from 'react';

/** The title of the tab: where one is, from the narrow to the wide. */
export function usePageTitle(...parts: string[]): void {
  const title = [...parts, 'Cellarman'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
