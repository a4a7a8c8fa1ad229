import { useState } from 'react'
import { humanizeName } from '../../contract/forms/humanize-name.ts'
import { isObject, own } from '../../contract/forms/json.ts'
import { ElementFields } from './element-fields.tsx'
import styles from './email.module.css'
import { bodyOf } from './email-body.ts'
import { FoldedText } from './folded-text.tsx'
import { EditableText, type TextPath } from './inline-editing.tsx'
import { MailFrame } from './mail-frame.tsx'
import type { WidgetProps } from './registry.ts'
import { isScalar, isShort, Scalar } from './scalar.tsx'
import widgetsStyles from './widgets.module.css'

const headers = ['from', 'to', 'cc', 'bcc', 'replyTo', 'subject', 'date']

/** An email: headers, then the body as text, or as HTML in a sandboxed frame without network access. */
export default function Email({ value, hints, field }: WidgetProps) {
  if (!isObject(value)) throw new TypeError('email needs an object.')
  const body = bodyOf(value)
  if (!body) throw new TypeError('email needs a text in html, text or body.')
  const shownHeaders = headers.filter((name) => headerText(own(value, name)) !== undefined)
  return (
    <div className={styles.mail}>
      <dl className={`${widgetsStyles.kv} ${widgetsStyles.column}`}>
        {shownHeaders.map((name) => (
          <div key={name}>
            <dt>{humanizeName(name)}</dt>
            <dd>
              <EditableText path={field === undefined ? undefined : [field, name]}>
                <Scalar value={headerText(own(value, name)) ?? ''} />
              </EditableText>
            </dd>
          </div>
        ))}
      </dl>
      {body.html !== undefined ? (
        <HtmlBody html={body.html} text={body.text} />
      ) : (
        <EditableText path={field === undefined ? undefined : ([field, ...body.fields] as TextPath)}>
          <FoldedText text={body.text} />
        </EditableText>
      )}
      <ElementFields
        element={value}
        hints={hints.fields ?? {}}
        heading="h3"
        without={[...shownHeaders, ...body.fields]}
      />
    </div>
  )
}

function HtmlBody({ html, text }: { html: string; text: string }) {
  const [view, setView] = useState<'mail' | 'text' | 'source'>('mail')
  const views = [
    ['mail', 'Formatted'],
    ...(text === '' ? [] : [['text', 'Plain text']]),
    ['source', 'Source'],
  ] as ['mail' | 'text' | 'source', string][]
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend; these are buttons, not fields */}
      <div className="tools" role="group" aria-label="Email view">
        {views.map(([name, label]) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
            {label}
          </button>
        ))}
      </div>
      {view === 'mail' && <MailFrame html={html} />}
      {view === 'text' && <FoldedText text={text} />}
      {view === 'source' && <FoldedText text={html} />}
    </>
  )
}

/** A header as one line. Undefined for any other shape, which is shown with the remaining fields. */
function headerText(value: unknown): string | undefined {
  const parts = Array.isArray(value) ? value : [value]
  const isLine = parts.length > 0 && parts.every((part) => isScalar(part) && part !== null && isShort(part))
  return isLine && value !== undefined && parts.length <= 100 ? parts.join(', ') : undefined
}
