import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Notifications, Want } from '../../../../contract/notification.ts'
import { asProblem } from '../../../lib/problem.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { ChoiceGroup } from '../../../ui/choice-group.tsx'
import { ProblemStrip, Strip } from '../../../ui/strip.tsx'

const wantsOf: Record<string, Want[]> = {
  never: [],
  assigned: ['assigned'],
  urgent: ['urgent', 'assigned'],
  high: ['urgent', 'high', 'assigned'],
  all: ['urgent', 'high', 'normal', 'low', 'assigned'],
}

const choices: [string, string][] = [
  ['never', 'Off'],
  ['assigned', 'Tasks assigned to you'],
  ['urgent', 'Tasks assigned to you and urgent tasks'],
  ['high', 'Tasks assigned to you, urgent and high-priority tasks'],
  ['all', 'All new tasks'],
]

export function MailNotifications({ notifications }: { notifications: Notifications }) {
  const { mail, push, slack, quietHours } = notifications
  const { api, me, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const choose = useMutation({
    mutationFn: (choice: string) =>
      api.chooseNotifications({
        mail: wantsOf[choice]!,
        push: push.wants,
        slack: slack.wants,
        ...(quietHours && { quietHours }),
      }),
    onSuccess: (changed) => queryClient.setQueryData(['notifications', workspaceId], changed),
  })
  const test = useMutation({ mutationFn: () => api.sendTestMail() })

  return (
    <section>
      <ChoiceGroup
        label="Email notifications"
        value={choose.variables && choose.isPending ? choose.variables : choiceOf(mail.wants)}
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
          Send test email
        </button>
      )}
      {test.isSuccess && <Strip tone="info">The test email is on its way to {me.person.email}.</Strip>}
      {choose.error && <ProblemStrip message="The setting wasn't saved." problem={asProblem(choose.error)} />}
      {test.error && <ProblemStrip message="The test email wasn't sent." problem={asProblem(test.error)} />}
    </section>
  )
}

function choiceOf(wants: Want[]): string {
  const found = Object.entries(wantsOf).find(([, value]) => value.length === wants.length)
  return found?.[0] ?? 'assigned'
}

function helpText(
  isAvailable: boolean,
  { email, emailVerified }: { email: string; emailVerified: boolean },
): string {
  if (!isAvailable) return "This service can't send email. Ask its operator to set SMTP_URL."
  if (!emailVerified)
    return `Your address ${email} isn't verified. Verify it in Settings, Your account to get emails.`
  return `Sent to ${email}. Unless they are off, you also get emails about replies to your questions, tasks assigned or escalated to you or your groups, mentions and reminders.`
}
