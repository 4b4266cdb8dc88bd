import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from './api-error.ts';

/**
 * A page in a file of its own. If the file does not load, the error is shown within the frame. The router would reload
 * the document instead, which offline replaces all that is loaded by the error page of the browser.
 */
export const pageChunk = ((importer: () => Promise<Record<string, unknown>>, exportName: string) =>
  lazyRouteComponent(async () => {
    try {
      return await importer();
    } catch (cause) {
      throw new ApiError(
        { status: 0, code: 'unreachable', message: "A file of this page couldn't be loaded" },
        { cause },
      );
    }
  }, exportName)) as typeof lazyRouteComponent;
