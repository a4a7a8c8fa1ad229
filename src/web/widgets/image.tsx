import { isObject, own } from '../../contract/forms/json.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import styles from './image.module.css'
import { isPicture, Picture } from './picture.tsx'
import type { WidgetProps } from './registry.ts'
import { useShowMore } from './use-show-more.tsx'

/** An image URL, `{ url, alt }`, or a list of these. */
export default function Image({ value }: WidgetProps) {
  const pictures = (Array.isArray(value) ? value : [value]).map(parsePicture)
  const { shown, more } = useShowMore(pictures, 20, 'images')
  if (pictures.length === 0) throw new TypeError('image needs a URL.')
  return (
    <div className={styles.pictures}>
      {shown.map(({ url, alt, caption }, n) => (
        <figure key={n}>
          <Picture url={url} alt={alt} />
          {caption && <figcaption className="help">{bidiSafe(caption)}</figcaption>}
        </figure>
      ))}
      {more}
    </div>
  )
}

const fields: ReadonlySet<string> = new Set(['url', 'src', 'alt', 'title', 'caption'])

function parsePicture(value: unknown): { url: string; alt: string; caption: string | undefined } {
  const text = (...names: string[]) => {
    const found = isObject(value) ? names.map((name) => own(value, name)) : []
    return found.find((part) => typeof part === 'string') as string | undefined
  }
  const url = typeof value === 'string' ? value : text('url', 'src')
  // Reject values with other fields, which this widget would not show.
  const isKnown = !isObject(value) || Object.keys(value).every((name) => fields.has(name))
  if (url === undefined || !isPicture(url) || !isKnown)
    throw new TypeError('image needs an https or data URL.')
  return { url, alt: text('alt', 'title') ?? '', caption: text('caption', 'title') }
}
