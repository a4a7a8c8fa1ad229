import { Link } from '@tanstack/react-router'
import { EntryFrame } from '../../ui/entry-frame.tsx'

export function NotFound() {
  return (
    <EntryFrame title="Nothing is here" lede="The address leads nowhere. It may have been copied in part.">
      <p className="above-16">
        <Link className="link" to="/">
          Go to the inbox
        </Link>
      </p>
    </EntryFrame>
  )
}
