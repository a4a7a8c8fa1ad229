import { type ReactNode, useState } from 'react'

type Props = { label: string; className: string; children: ReactNode }

/** A button that shows and hides what is below it. */
export function Fold({ label, className, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={className} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
      {isOpen && children}
    </>
  )
}
