import { Link } from '@tanstack/react-router'
import { EntryFrame } from '../../ui/entry-frame.tsx'

export function NotFound() {
  return (
    <EntryFrame title="Page not found" lede="Check the address. The link may be incomplete or out of date.">
      <p className="above-16">
        <Link className="link" to="/">
          Go to the inbox
        </Link>
      </p>
    </EntryFrame>
  )
}
