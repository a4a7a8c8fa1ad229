import { Image } from 'lucide-react'
import { useState } from 'react'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './picture.module.css'
import { canShowImmediately } from './picture-size.ts'

const dataUrl = /^data:image\/(png|jpeg|gif|webp|avif);/i

export function isPicture(url: string): boolean {
  return dataUrl.test(url) || isRemoteUrl(url)
}

function isRemoteUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

type Props = { url: string; alt: string }

/**
 * An image. Inline data is shown immediately unless its decoded size is large or unknown. A remote
 * https image loads on click, because the request reveals the reader to the image's server. A remote
 * http image is not loaded. For both there is a link that opens the image in a new tab.
 */
export function Picture(props: Props) {
  // The state belongs to the URL: a revised image must not load without a click.
  return <PictureOfUrl key={props.url} {...props} />
}

function PictureOfUrl({ url, alt }: Props) {
  const [state, setState] = useState<'waiting' | 'shown' | 'full' | 'failed'>(() =>
    canShowImmediately(url) ? 'shown' : 'waiting',
  )
  const isData = dataUrl.test(url)
  const isRemote = isRemoteUrl(url)
  const isLoadable = isData || /^https:/i.test(url)
  const host = isRemote ? new URL(url).host : ''

  if (state === 'shown' || state === 'full') {
    const isFull = state === 'full'
    return (
      <button
        type="button"
        className={isFull ? `${styles.pictureShown} ${styles.full}` : styles.pictureShown}
        aria-label={`${isFull ? 'Shrink' : 'Enlarge'} image${alt ? `: ${escapeBidi(alt)}` : ''}`}
        onClick={() => setState(isFull ? 'shown' : 'full')}
      >
        <img
          src={url}
          alt={escapeBidi(alt)}
          referrerPolicy="no-referrer"
          onError={() => setState('failed')}
        />
      </button>
    )
  }
  return (
    <span className={styles.picture}>
      <Icon of={Image} />
      <bdi>{bidiSafe(alt || 'Image')}</bdi>
      {state === 'failed' && <span role="status">couldn't be loaded</span>}
      {isLoadable && (
        <button type="button" className="link" onClick={() => setState('shown')}>
          {isData ? 'Show image' : `Load image from ${host}`}
        </button>
      )}
      {isRemote && (
        <a
          className="link"
          href={url}
          title={escapeBidi(url)}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          Open image at {host}
        </a>
      )}
    </span>
  )
}
