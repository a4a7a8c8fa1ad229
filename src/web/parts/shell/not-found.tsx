import { Link } from '@tanstack/react-router'
import { StandalonePage } from '../../ui/standalone-page.tsx'

export function NotFound() {
  return (
    <StandalonePage
      title="Page not found"
      intro="Check the address. The link may be incomplete or out of date."
    >
      <p className="above-16">
        <Link className="link" to="/">
          Go to the inbox
        </Link>
      </p>
    </StandalonePage>
  )
}
