import { Image } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { visible } from '../ui/visible-text.tsx'

/**
 * A picture in a text. None loads by itself: a picture elsewhere would tell its server who reads what and when, so it
 * opens in a tab of its own. One that came along as data is shown on request.
 */
export function Picture({ address, alt }: { address: string; alt: string }) {
  const [isShown, setShown] = useState(false)
  const isData = /^data:image\/(png|jpeg|gif|webp);/i.test(address)
  const isRemote = /^https?:\/\//i.test(address)
  if (isShown) return <img className="max-w-full" src={address} alt={alt} />
  return (
    <span className="picture">
      <Icon of={Image} />
      <bdi>{visible(alt || 'Picture')}</bdi>
      {isData && (
        <button type="button" className="link" onClick={() => setShown(true)}>
          Show picture
        </button>
      )}
      {isRemote && (
        <a className="link" href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
          Open picture at {hostOf(address)}
        </a>
      )}
    </span>
  )
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'its address'
}
