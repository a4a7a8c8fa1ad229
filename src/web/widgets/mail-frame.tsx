import { useMemo } from 'react'
import { FoldedText } from './folded-text.tsx'
import { mailDocument } from './mail-document.ts'

// Longer ones are read as text: parsing them could hold up the page.
const longest = 200_000

/** HTML of a mail where it can do nothing: no scripts, no forms, no addresses, not even our origin. */
export function MailFrame({ html }: { html: string }) {
  const page = useMemo(() => (html.length <= longest ? mailDocument(html) : undefined), [html])
  if (!page) return <FoldedText text={html} />
  return (
    <>
      <iframe className="mail-frame" title="Message" sandbox="" srcDoc={page.document as string} />
      {page.notes.length > 0 && <p className="help">{page.notes.join(' ')}</p>}
    </>
  )
}
