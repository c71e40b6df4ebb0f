/** The scripts by which shells complete `leasequeue`. Each asks the command itself, so that none has to know a verb or a flag. */

const BASH = `# Completion of leasequeue for bash. Load it with: source <(leasequeue completion bash)
_leasequeue() {
  local words=() count=0 joins='' piece word candidate kept
  # bash cuts words at "=" and ":", which may be part of one.
  for piece in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if (( count > 0 )) && [[ -n $joins || $piece =~ ^[=:]+$ ]]; then
      words[count-1]+=$piece
    else
      words[count]=$piece
      count=$((count + 1))
    fi
    if [[ $piece =~ ^[=:]+$ ]]; then joins=1; else joins=''; fi
  done
  (( count > 0 )) || return 0
  word=\${words[count-1]}
  piece=\${COMP_WORDS[COMP_CWORD]}
  if [[ $piece =~ ^[=:]+$ ]]; then piece=''; fi
  kept=\${word%"$piece"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == "$word"* ]]; then COMPREPLY+=("\${candidate#"$kept"}"); fi
  done < <(leasequeue __complete -- "\${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _leasequeue leasequeue
`;

const ZSH = `#compdef leasequeue
# Completion of leasequeue for zsh. Load it with: source <(leasequeue completion zsh)
_leasequeue() {
  local -a candidates
  candidates=("\${(@f)$(leasequeue __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then
    compadd -a candidates
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _leasequeue ]]; then
  _leasequeue "$@"
else
  compdef _leasequeue leasequeue
fi
`;

const FISH = `# Completion of leasequeue for fish. Load it with: leasequeue completion fish | source
function __leasequeue_complete
  set -l words (commandline -opc)
  set -l written (commandline -ct)
  test (count $written) -eq 0; and set written ''
  set -l candidates (leasequeue __complete -- $words[2..-1] $written 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path $written
  end
end
complete -c leasequeue -f -a '(__leasequeue_complete)'
`;

const POWERSHELL = `# Completion of leasequeue for PowerShell. Load it with: leasequeue completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName leasequeue -ScriptBlock {
  param($written, $line, $cursor)
  $words = @($line.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  # Before 7.3 an empty word has to be quoted to arrive.
  if ($written -eq '') { $words += $(if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' }) }
  leasequeue __complete '--' @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;

export const COMPLETION_SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;
export type Shell = keyof typeof COMPLETION_SCRIPTS;
