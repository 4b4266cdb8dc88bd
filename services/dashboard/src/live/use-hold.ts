import { useEffect, useRef, useState } from 'react';
import type { PointerEvent, RefObject } from 'react';

export interface Hold {
  isHeld: boolean;
  /** Props of the element that stands still while someone points at it or selects text in it. */
  props: {
    ref: RefObject<HTMLDivElement | null>;
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: () => void;
  };
}

/** Rows must not move away from under the pointer, or out of a selection. */
export function useHold(): Hold {
  const ref = useRef<HTMLDivElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  const [isSelected, setSelected] = useState(false);
  useEffect(() => {
    const onChange = (): void => {
      const selection = document.getSelection();
      const at = selection?.isCollapsed === false ? selection.anchorNode : null;
      setSelected(ref.current?.contains(at) === true);
    };
    document.addEventListener('selectionchange', onChange);
    return () => document.removeEventListener('selectionchange', onChange);
  }, []);
  return {
    isHeld: isPointedAt || isSelected,
    props: {
      ref,
      // A finger leaves no pointer behind.
      onPointerEnter: ({ pointerType }) => setPointedAt(pointerType === 'mouse'),
      onPointerLeave: () => setPointedAt(false),
    },
  };
}
