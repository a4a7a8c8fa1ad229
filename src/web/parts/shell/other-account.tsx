import { StandalonePage } from '../../ui/standalone-page.tsx'
import { useSignOut } from './use-sign-out.tsx'

type Props = {
  title: string
  intro: string
  /** Where to go after signing in with the other account. */
  to?: string
}

/** Shown when the signed-in account has no access to the page. */
export default function OtherAccount({ title, intro, to }: Props) {
  const { signOut, dialog } = useSignOut()
  return (
    <StandalonePage title={title} intro={intro}>
      <button type="button" className="btn primary full" onClick={() => void signOut(to)}>
        Use another account
      </button>
      {dialog}
    </StandalonePage>
  )
}
