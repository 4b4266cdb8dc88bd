/** Props of each section of the page. */
export interface SectionProps {
  cellar: string;
  isOwner: boolean;
  /** Shows a notice and reloads the data. */
  finish: (done: string) => void;
}
