import { isObject, own } from '../../contract/forms/json.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import styles from './image.module.css'
import { isPicture, Picture } from './picture.tsx'
import type { WidgetProps } from './registry.ts'
import { useShowMore } from './use-show-more.tsx'

/**
 * An image URL, an object with `url` or `src` and optionally `alt`, `title` or `caption`, or a list
 * of these.
 */
export default function Image({ value }: WidgetProps) {
  const pictures = (Array.isArray(value) ? value : [value]).map(parsePicture)
  const { shown, more } = useShowMore(pictures, 20, 'images')
  if (pictures.length === 0) throw new TypeError('image needs at least one URL.')
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

const fields = ['url', 'src', 'alt', 'title', 'caption']

function parsePicture(value: unknown): { url: string; alt: string; caption: string | undefined } {
  const object = isObject(value) ? value : { url: value }
  const textAt = (name: string) => {
    const text = own(object, name)
    return typeof text === 'string' ? text : undefined
  }
  const [url, src, alt, title, caption] = fields.map(textAt)
  const address = url ?? src
  // Reject what this widget would not show: other fields, values that are not text, a second URL,
  // and the title if there are also alt and caption.
  const isShown =
    Object.entries(object).every(
      ([name, part]) => fields.includes(name) && (typeof part === 'string' || part === null),
    ) &&
    (url === undefined || src === undefined) &&
    (alt === undefined || title === undefined || caption === undefined)
  if (address === undefined || !isPicture(address) || !isShown)
    throw new TypeError(
      'image needs one URL (http, https or data), and otherwise at most two of alt, title and caption.',
    )
  return { url: address, alt: alt ?? title ?? '', caption: caption ?? title }
}
