import { Image } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { plain, visible } from '../ui/visible-text.tsx'

const data = /^data:image\/(png|jpeg|gif|webp|avif);/i

export function isPicture(address: string): boolean {
  return data.test(address) || (/^https?:\/\//i.test(address) && URL.canParse(address))
}

/**
 * A picture that loads when it is asked for and not before: a picture elsewhere tells its server who reads what and
 * when. Only https and pictures that came along as data are shown here; any other opens in a tab of its own.
 */
export function Picture({ address, alt }: { address: string; alt: string }) {
  const [state, setState] = useState<'waiting' | 'shown' | 'full' | 'failed'>('waiting')
  const isData = data.test(address)
  const isRemote = /^https?:\/\//i.test(address) && URL.canParse(address)
  const isLoadable = isData || /^https:/i.test(address)
  const host = isRemote ? new URL(address).host : ''

  if (state === 'shown' || state === 'full') {
    const isFull = state === 'full'
    return (
      <button
        type="button"
        className={isFull ? 'picture-shown full' : 'picture-shown'}
        aria-label={`${isFull ? 'Fit' : 'Enlarge'} the picture${alt ? `: ${plain(alt)}` : ''}`}
        onClick={() => setState(isFull ? 'shown' : 'full')}
      >
        <img src={address} alt={plain(alt)} referrerPolicy="no-referrer" onError={() => setState('failed')} />
      </button>
    )
  }
  return (
    <span className="picture">
      <Icon of={Image} />
      <bdi>{visible(alt || 'Picture')}</bdi>
      {state === 'failed' && <span role="status">did not load</span>}
      {isLoadable && (
        <button type="button" className="link" onClick={() => setState('shown')}>
          {isData ? 'Show picture' : `Load picture from ${host}`}
        </button>
      )}
      {isRemote && (
        <a
          className="link"
          href={address}
          title={plain(address)}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          Open picture at {host}
        </a>
      )}
    </span>
  )
}
