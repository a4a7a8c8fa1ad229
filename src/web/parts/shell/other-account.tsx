import { EntryFrame } from '../../ui/entry-frame.tsx'
import { useSignOut } from './use-sign-out.tsx'

type Props = {
  title: string
  lede: string
  /** Where to go after signing in with the other account. */
  to?: string
}

/** Shown when the signed-in account has no access to the page. */
export function OtherAccount({ title, lede, to }: Props) {
  const { signOut, warning } = useSignOut()
  return (
    <EntryFrame title={title} lede={lede}>
      <button type="button" className="btn primary full" onClick={() => void signOut(to)}>
        Use another account
      </button>
      {warning}
    </EntryFrame>
  )
}
