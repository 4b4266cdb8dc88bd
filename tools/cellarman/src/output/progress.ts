export interface Progress {
  stop(): void;
}

/** A line that renews itself on a terminal, and a line every few seconds elsewhere. */
export function showProgress(describe: () => string, output: NodeJS.WriteStream): Progress {
  const timer = setInterval(
    () => {
      const line = describe();
      output.write(output.isTTY ? `\r\u001B[2K${line.slice(0, output.columns - 1)}` : `${line}\n`);
    },
    output.isTTY ? 250 : 5_000,
  );
  return {
    stop() {
      clearInterval(timer);
      if (output.isTTY) output.write('\r\u001B[2K');
    },
  };
}
