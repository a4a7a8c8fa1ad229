import { Image } from 'lucide-react'
import { useState } from 'react'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './picture.module.css'
import { pictureSize } from './picture-size.ts'

const data = /^data:image\/(png|jpeg|gif|webp|avif);/i

export function isPicture(address: string): boolean {
  return data.test(address) || (/^https?:\/\//i.test(address) && URL.canParse(address))
}

// About the size of a photograph; takes 160 MB when decoded.
const maxPixels = 40_000_000

/** Inline images up to a maximum decoded size. */
function canShowImmediately(address: string): boolean {
  const size = pictureSize(address)
  return size !== undefined && size.width * size.height <= maxPixels
}

/**
 * An image. Inline data is shown immediately. A remote image loads on click, because the request
 * reveals the reader to its server. Only https is loaded here; other URLs open in a new tab.
 */
export function Picture({ address, alt }: { address: string; alt: string }) {
  const [state, setState] = useState<'waiting' | 'shown' | 'full' | 'failed'>(() =>
    canShowImmediately(address) ? 'shown' : 'waiting',
  )
  const isData = data.test(address)
  const isRemote = /^https?:\/\//i.test(address) && URL.canParse(address)
  const isLoadable = isData || /^https:/i.test(address)
  const host = isRemote ? new URL(address).host : ''

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
          src={address}
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
          href={address}
          title={escapeBidi(address)}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          Open image at {host}
        </a>
      )}
    </span>
  )
}
