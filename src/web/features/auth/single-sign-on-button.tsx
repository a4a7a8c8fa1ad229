import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { asProblem } from '../../lib/problem.ts'
import { ProblemStrip } from '../../ui/strip.tsx'
import { rememberPath } from './use-continue.ts'

type Props = {
  /** The name of the identity provider. */
  name: string
  /** The page to open after sign-in. */
  to?: string | undefined
  isPrimary?: boolean
}

export function SingleSignOnButton({ name, to, isPrimary = false }: Props) {
  const start = useMutation({
    mutationFn: () => api.startSingleSignOn(),
    onSuccess({ redirectTo }) {
      rememberPath(to)
      location.assign(redirectTo)
    },
  })
  const isLeaving = start.isPending || start.isSuccess
  return (
    <>
      {start.error && (
        <div className="above-16">
          <ProblemStrip message="Sign-in failed." problem={asProblem(start.error)} />
        </div>
      )}
      <button
        type="button"
        className={isPrimary ? 'btn primary full' : 'btn full'}
        aria-disabled={isLeaving}
        onClick={() => !isLeaving && start.mutate()}
      >
        Continue with {name}
      </button>
    </>
  )
}
