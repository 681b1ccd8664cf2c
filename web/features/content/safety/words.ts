import type { FileScan } from './queries.ts'

interface Words {
  title: string
  /** What it means, and what to do. */
  advice: string
}

const noCode = 'Ask its author for the weights as safetensors, which run no code when they are loaded.'

/** What a verdict is called, and what one should do. */
export function wordsOf({ status, checked, job, problems }: FileScan): Words {
  if (status === 'unsafe')
    return {
      title: 'Unsafe: loading this file can run code',
      advice: `You can download it; nothing runs until a program loads it. Do not load it with pickle, joblib or torch.load(weights_only=False). ${noCode}`,
    }
  if (status === 'suspicious')
    return {
      title: 'Suspicious: it is not known what loading this file runs',
      advice: `Load it only if you know where it comes from, with torch.load(weights_only=True) where that is possible. ${noCode}`,
    }
  if (status === 'failed')
    return {
      title: 'The scan of this file failed',
      advice: 'Nothing is known of it. Load it only if you know where it comes from.',
    }
  if (status === 'pending')
    return {
      title:
        job === 'running' ? 'Being scanned' : job === 'queued' ? 'Waiting to be scanned' : 'Not scanned yet',
      advice: job
        ? 'The result appears here by itself.'
        : 'It is scanned when it is next at the head of a branch or tag, and when its bytes are here.',
    }
  if (problems.some(({ code }) => code === 'custom_code'))
    return {
      title: 'This is code',
      advice:
        'The scan does not judge what it does. Programs run it with trust_remote_code=True: read it before you do that.',
    }
  return checked
    ? { title: 'Nothing unsafe was found', advice: 'The scan knows much, but not everything.' }
    : {
        title: 'Not checked',
        advice: 'The scan looks into formats that can run code when a model is loaded; this is none of them.',
      }
}
