import { ExternalLink } from 'lucide-react'
import { isObject, own } from '../../contract/forms/json.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './link.module.css'
import type { WidgetProps } from './registry.ts'
import widgetsStyles from './widgets.module.css'

/** A URL, or `{ url, title }`. Always shows the host, because the title may be misleading. */
export function Link({ value }: WidgetProps) {
  const { url, text, title } = parseLink(value)
  return (
    <p className={widgetsStyles.shortValue}>
      <a className="link" href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        <bdi>{bidiSafe(title ?? text)}</bdi>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>{' '}
      <span className={styles.host}>
        <Icon of={ExternalLink} />
        <bdi>{url.protocol === 'mailto:' ? 'email' : url.host}</bdi>
      </span>
    </p>
  )
}

const fields: ReadonlySet<string> = new Set(['url', 'href', 'title', 'text', 'label'])
const safeProtocols: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:'])

function parseLink(value: unknown): { url: URL; text: string; title: string | undefined } {
  const text = isObject(value) ? (own(value, 'url') ?? own(value, 'href')) : value
  const title = isObject(value)
    ? (own(value, 'title') ?? own(value, 'text') ?? own(value, 'label'))
    : undefined
  // Reject values with other fields, which this widget would not show.
  const isKnown = !isObject(value) || Object.keys(value).every((name) => fields.has(name))
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (!url || !safeProtocols.has(url.protocol) || !isKnown) throw new TypeError('link needs a URL.')
  return { url, text: String(text), title: typeof title === 'string' && title !== '' ? title : undefined }
}
