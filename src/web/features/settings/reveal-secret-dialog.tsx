import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { WebhookSecrets } from '../../../contract/delivery.ts'
import { limits } from '../../../contract/limits.ts'
import { useHere } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'

type Props = { onRevealed: (secrets: WebhookSecrets) => void; onClose: () => void }

export function RevealSecretDialog({ onRevealed, onClose }: Props) {
  const { api } = useHere()
  const formId = useId()
  const reveal = useMutation({
    mutationFn: api.revealWebhookSecret,
    onSuccess: (secrets) => {
      onRevealed(secrets)
      onClose()
    },
  })
  const problem = reveal.error && asProblem(reveal.error)
  return (
    <Dialog
      title="Show the signing secret"
      about="Your password once more: an open browser is not enough. The audit notes that it was shown."
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Keep it hidden
          </button>
          <button type="submit" form={formId} className="btn primary" aria-disabled={reveal.isPending}>
            Show the secret
          </button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          reveal.mutate(String(new FormData(event.currentTarget).get('password')))
        }}
      >
        {problem && problem.errors.length === 0 && <ProblemStrip what="Not shown." problem={problem} />}
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={limits.passwordMax}
          error={problem?.errors.find(({ path }) => path === 'password')?.message}
          required
        />
      </form>
    </Dialog>
  )
}
