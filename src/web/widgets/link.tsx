import { ExternalLink } from 'lucide-react'
import { isObject } from '../../contract/forms/json.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './link.module.css'
import type { WidgetProps } from './registry.ts'
import widgetsStyles from './widgets.module.css'

/**
 * A URL, or an object with `url` or `href` and optionally `title`, `text` or `label`. Always shows
 * the host or the email address, because the title may be misleading.
 */
export function Link({ value }: WidgetProps) {
  const { url, address, title } = parseLink(value)
  return (
    <p className={widgetsStyles.shortValue}>
      <a className="link" href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        <bdi>{bidiSafe(title ?? address)}</bdi>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>{' '}
      <span className={styles.host}>
        <Icon of={ExternalLink} />
        {/* An email address is shown with its parameters, which may name more recipients. */}
        <bdi>{url.protocol === 'mailto:' ? bidiSafe(url.href.slice('mailto:'.length)) : url.host}</bdi>
      </span>
    </p>
  )
}

const addressNames: ReadonlySet<string> = new Set(['url', 'href'])
const titleNames: ReadonlySet<string> = new Set(['title', 'text', 'label'])
const safeProtocols: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:'])

function parseLink(value: unknown): { url: URL; address: string; title: string | undefined } {
  const fields = Object.entries(isObject(value) ? value : { url: value }).filter(([, part]) => part !== null)
  const addresses = fields.filter(([name]) => addressNames.has(name))
  const titles = fields.filter(([name]) => titleNames.has(name))
  const [address, title = ''] = [addresses[0]?.[1], titles[0]?.[1]]
  // Reject values with other fields, or several titles or addresses, which this widget would not
  // show.
  const isShown = addresses.length === 1 && titles.length <= 1 && fields.length === 1 + titles.length
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (!url || !safeProtocols.has(url.protocol) || !isShown || typeof title !== 'string')
    throw new TypeError('link needs one URL (http, https or mailto), and otherwise at most one title.')
  return { url, address: String(address), title: title || undefined }
}
