import { useMemo } from 'react'
import { FoldedText } from './folded-text.tsx'
import { mailDocument } from './mail-document.ts'
import styles from './mail-frame.module.css'

// Longer emails are shown as their source, because parsing them could block the page.
const maxLength = 200_000

/** The HTML of an email in a sandbox: no scripts, forms, links or access to our origin. */
export function MailFrame({ html }: { html: string }) {
  const page = useMemo(() => (html.length <= maxLength ? mailDocument(html) : undefined), [html])
  if (!page) {
    return (
      <>
        <p className="help">This email is too long to be formatted, so its source is shown.</p>
        <FoldedText text={html} />
      </>
    )
  }
  return (
    <>
      <iframe className={styles.mailFrame} title="Email" sandbox="" srcDoc={page.document as string} />
      {page.notes.length > 0 && <p className="help">{page.notes.join(' ')}</p>}
    </>
  )
}
