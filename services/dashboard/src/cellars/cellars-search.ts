import { flag, searchOf, text } from '../display/read-search.ts';

export type CellarsSearch = ReturnType<typeof readCellarsSearch>;

export const readCellarsSearch = searchOf({ search: text, archived: flag, cursor: text });
