import { type ReactNode, useEffect, useRef } from 'react'
import { useTitle } from '../lib/use-title.ts'

type Props = { title: string; lede?: ReactNode; children: ReactNode }

export function PageFrame({ title, lede, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useTitle(title)
  useEffect(() => {
    // On a phone the link that led here is gone, and with it the focus.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {lede && <p className="lede">{lede}</p>}
      {children}
    </>
  )
}
