import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MailFor, Notifications } from '../../../../contract/notification.ts'
import { useWorkspace } from '../../../lib/person.ts'
import { asProblem } from '../../../lib/problem.ts'
import { ChoiceGroup } from '../../../ui/choice-group.tsx'
import { ProblemStrip, Strip } from '../../../ui/strip.tsx'

const choices: [MailFor, string][] = [
  ['never', 'Never'],
  ['assigned', 'Tasks assigned to me'],
  ['urgent', 'Assigned to me, and urgent ones'],
  ['high', 'Assigned to me, urgent and high ones'],
  ['all', 'Every new task'],
]

export function MailNotifications({ mail }: { mail: Notifications['mail'] }) {
  const { api, me, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const choose = useMutation({
    mutationFn: (choice: string) => api.chooseMail({ for: choice as MailFor }),
    onSuccess: (changed) => queryClient.setQueryData(['notifications', workspaceId], changed),
  })
  const test = useMutation({ mutationFn: () => api.sendTestMail() })
  const problem = choose.error ?? test.error
  return (
    <section>
      <ChoiceGroup
        label="By mail"
        value={choose.variables && choose.isPending ? choose.variables : mail.for}
        options={choices}
        help={helpText(mail.available, me.person)}
        onChoose={(choice) => choose.mutate(choice)}
      />
      {mail.available && me.person.emailVerified && (
        <button
          type="button"
          className="btn above-12"
          aria-disabled={test.isPending}
          onClick={() => !test.isPending && test.mutate()}
        >
          Send me a test mail
        </button>
      )}
      {test.isSuccess && <Strip tone="info">The test mail is on its way to {me.person.email}.</Strip>}
      {problem && <ProblemStrip what="That did not work." problem={asProblem(problem)} />}
    </section>
  )
}

function helpText(
  isAvailable: boolean,
  { email, emailVerified }: { email: string; emailVerified: boolean },
): string {
  if (!isAvailable) return 'This service sends no mail yet. Whoever runs it can set SMTP_URL.'
  if (!emailVerified)
    return `Nothing is mailed to ${email} until the address is verified. Verify it in Settings, Your account.`
  return `To ${email}, and to nobody else.`
}
