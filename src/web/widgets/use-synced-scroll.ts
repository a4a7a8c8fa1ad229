import { type UIEvent, useRef, useState } from 'react'

/** Panes that are too long to be seen whole scroll together, each as far through its own text as the others. */
export function useSyncedScroll() {
  const boxes = useRef(new Set<HTMLElement>())
  const moved = useRef(new Set<HTMLElement>())
  const [isOn, setOn] = useState(true)
  const [isNeeded, setNeeded] = useState(false)

  // Made once: a ref that is a new function would be called at every drawing.
  const [watch] = useState(() => (box: HTMLElement | null) => {
    if (!box) return undefined
    const look = () => setNeeded([...boxes.current].some((each) => each.scrollHeight > each.clientHeight + 1))
    const observer = new ResizeObserver(look)
    boxes.current.add(box)
    observer.observe(box)
    for (const child of box.children) observer.observe(child)
    return () => {
      observer.disconnect()
      boxes.current.delete(box)
    }
  })

  function follow({ currentTarget: box }: UIEvent<HTMLElement>) {
    // Its own echo: this one was moved by another.
    if (moved.current.delete(box) || !isOn) return
    const share = box.scrollTop / Math.max(1, box.scrollHeight - box.clientHeight)
    for (const other of boxes.current) {
      const top = Math.round(share * (other.scrollHeight - other.clientHeight))
      if (other === box || top === Math.round(other.scrollTop)) continue
      moved.current.add(other)
      other.scrollTop = top
    }
  }

  return { isOn, isNeeded, toggle: () => setOn(!isOn), watch, follow }
}
