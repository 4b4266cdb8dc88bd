import { useQueryClient } from '@tanstack/react-query';

/** Returns a function that loads again what shows the keys of a cellar. */
export function useRefreshKeys(cellar: string): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const queryKey of [['keys', cellar], ['cellar', cellar], ['cellars'], ['audit', cellar]]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  };
}
