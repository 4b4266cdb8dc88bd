import classes from './long-name.module.css';

const TAIL_CHARACTERS = 10;
/** Shorter names need no ellipsis anywhere. */
const LONG_CHARACTERS = 24;

/** A name in one line. If it does not fit, the ellipsis is in the middle: the end is what distinguishes similar names. */
export function LongName({ children: name }: { children: string }) {
  const characters = Array.from(name);
  if (characters.length < LONG_CHARACTERS) return name;
  return (
    <span className={classes.name} title={name}>
      <span className={classes.head}>{characters.slice(0, -TAIL_CHARACTERS).join('')}</span>
      <span className={classes.tail}>{characters.slice(-TAIL_CHARACTERS).join('')}</span>
    </span>
  );
}
