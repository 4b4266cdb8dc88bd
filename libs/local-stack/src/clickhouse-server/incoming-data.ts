import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ClickHouseException } from './clickhouse-exception.ts';

/** The data of INSERTs on its way in. Each lies in a file, so that its size takes no memory. */
export interface IncomingData {
  /** Resolves to the file when all of the data is there. */
  store(inlineData: Buffer, body: AsyncIterable<Buffer>): Promise<string>;
  remove(file: string): Promise<void>;
}

/** Removes what an earlier process left. */
export async function createIncomingData(dataDirectory: string): Promise<IncomingData> {
  const directory = join(dataDirectory, 'incoming');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const remove = (file: string): Promise<void> => rm(file, { force: true });
  return {
    async store(inlineData, body) {
      const file = join(directory, randomUUID());
      try {
        await pipeline(joined(inlineData, body), createWriteStream(file));
        return file;
      } catch (error) {
        await remove(file);
        throw ClickHouseException.from(error);
      }
    },
    remove,
  };
}

/** Data in the statement and data in the body are one, with a line break between them. */
async function* joined(inlineData: Buffer, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (inlineData.length > 0) yield inlineData;
  let between = inlineData.length > 0;
  for await (const chunk of body) {
    if (between) yield Buffer.from('\n');
    between = false;
    yield chunk;
  }
}
