import type { ReactNode } from 'react'
import { useTitle } from '../../lib/use-title.ts'
import { Logo } from '../../ui/logo.tsx'

export function EntryFrame({
  title,
  lede,
  children,
}: {
  title: string
  lede?: ReactNode
  children?: ReactNode
}) {
  useTitle(title)
  return (
    <div className="entry">
      <header>
        <Logo size={22} />
        Handrail
      </header>
      <main>
        <h1>{title}</h1>
        {lede && <p className="lede">{lede}</p>}
        {children}
      </main>
    </div>
  )
}
