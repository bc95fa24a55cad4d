"use strict";exports.id=2156;exports.ids=[2156,8989];exports.modules={2156:((e,n,t)=>{t.r(n);t.d(n,{renderCompletion:()=>renderCompletion});var o=t(8989),r=t(5972),a=t(3614);function renderCompletion(e){return({bash:renderBash,zsh:renderZsh,fish:renderFish})[e]()}const i=Object.keys(r.Lo);function flagsFor(e){const n=(0,o.Zo)(e).flatMap(e=>{const n=(0,a.OB)(e),t=(0,o.qi)(e).replace(/\.$/,"");if("boolean"===n.type&&true===n.default)return[{name:`no-${e}`,doc:`Do not: ${t}`,takes:"nothing"}];return[{name:e,doc:t,takes:takenBy(e)}]});return[...n,{name:"help",doc:"Show the help of the command",takes:"nothing"}]}function takenBy(e){const n=(0,a.OB)(e);if("boolean"===n.type)return"nothing";if("enum"===n.type)return n.values;return/^ files?$/.test((0,o.EE)(e))||"gate"===e?"file":"text"}function bareWordsOf(e){const{words:n}=r.Lo[e];if(void 0!==n)return n;const t=(0,r.oO)(e);return void 0===t||"name"===t?"nothing":"file"}function distinctFlags(){const e=i.flatMap(flagsFor).map(e=>[e.name,e]);return[...new Map(e).values()]}function renderBash(){const e=distinctFlags().flatMap(({name:e,takes:n})=>{if("nothing"===n)return[];const t=Array.isArray(n)?`words="${n.join(" ")}"`:`kind=${String(n)}`;return[`    --${e}) ${t}; return ;;`]}),n=i.map(e=>{const n=bareWordsOf(e),t=flagsFor(e).map(({name:e})=>`--${e}`),o=Array.isArray(n)?`words="${n.join(" ")}"`:`kind=${String(n)}`;return`    ${e}) flags="${t.join(" ")}"; ${o} ;;`});return`# bash completion for agent-deploy
_agent_deploy_values() {
  case "$1" in
${e.join("\n")}
    *) return 1 ;;
  esac
}
_agent_deploy_command() {
  case "$1" in
${n.join("\n")}
  esac
}
_agent_deploy() {
  local cur="$\{COMP_WORDS[COMP_CWORD]}" before="" command="" flags="--help --version" kind=nothing words="" word
  [ "$COMP_CWORD" -gt 0 ] && before="$\{COMP_WORDS[COMP_CWORD-1]}"
  # The "=" of --flag=value is a word of its own.
  if [ "$cur" = "=" ]; then cur=""; elif [ "$before" = "=" ]; then before="$\{COMP_WORDS[COMP_CWORD-2]}"; fi
  for word in "$\{COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${i.join(" ")} deploy " in *" $word "*) command="$word"; break ;; esac
  done
  [ "$command" = deploy ] && command=apply
  COMPREPLY=()
  if ! _agent_deploy_values "$before"; then
    if [ -z "$command" ]; then words="${[...i,"help"].join(" ")}"; else _agent_deploy_command "$command"; fi
    case "$cur" in -*) words="$flags"; kind=nothing ;; esac
  fi
  if [ -n "$words" ]; then
    local IFS=$' \\n'
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  elif [ "$kind" = file ]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -F _agent_deploy agent-deploy
`}const quoted=e=>`'${e.replaceAll("'","'\\''")}'`,forZsh=e=>e.replace(/[[\]:\\]/g,"\\$&");function renderZsh(){const e=i.map(e=>quoted(`${e}:${forZsh(r.Lo[e].doc)}`)),n=i.map(e=>{const n=flagsFor(e).map(({name:e,doc:n,takes:t})=>{const o=`[${forZsh(n)}]`;if("nothing"===t)return quoted(`--${e}${o}`);const r="file"===t?"_files":" ",a=Array.isArray(t)?`(${t.join(" ")})`:r;return quoted(`--${e}=${o}:${e}:${a}`)}),t=bareWordsOf(e),o=Array.isArray(t)?quoted(`1:word:(${t.join(" ")})`):quoted("*:file:_files"),r="nothing"===t?[]:[o];return`        ${e}${"apply"===e?"|deploy":""}) _arguments ${[...n,...r].join(" ")} ;;`});return`#compdef agent-deploy
_agent_deploy() {
  local state line
  local -a commands
  commands=(${e.join(" ")})
  _arguments -C '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${n.join("\n")}
      esac ;;
  esac
}
# Read as a file of $fpath it is the function's own body; sourced, it registers the function.
if [ "$funcstack[1]" = "_agent_deploy" ]; then _agent_deploy "$@"; else compdef _agent_deploy agent-deploy; fi
`}function renderFish(){const e=[...i,"deploy"].join(" "),n=i.map(n=>`complete -c agent-deploy -n "not __fish_seen_subcommand_from ${e}" -f -a ${n} -d ${quoted(r.Lo[n].doc)}`),t=i.flatMap(e=>{const n=`complete -c agent-deploy -n "__fish_seen_subcommand_from ${e}${"apply"===e?" deploy":""}"`,t=bareWordsOf(e),o=Array.isArray(t)?[`${n} -f -a "${t.join(" ")}"`]:[],r="nothing"===t?[`${n} -f`]:o;return[...r,...flagsFor(e).map(({name:e,doc:t,takes:o})=>{const r=`${n} -l ${e} -d ${quoted(t)}`;if("nothing"===o)return r;if("file"===o)return`${r} -r -F`;return"text"===o?`${r} -x`:`${r} -x -a "${o.join(" ")}"`})]});return["# fish completion for agent-deploy",...n,...t,""].join("\n")}}),8989:((e,n,t)=>{t.d(n,{EE:()=>argument,Zo:()=>flagsOf,qi:()=>firstSentence,renderCommandHelp:()=>renderCommandHelp,renderHelp:()=>renderHelp,renderInputsHelp:()=>renderInputsHelp});var o=t(5972),r=t(8175),a=t(3614);const i=80;function renderHelp(e){const n=Object.entries(o.Lo),t=n.filter(([,{reads:e}])=>true!==e).map(([e,{doc:n}])=>`  ${e.padEnd(10)}${n}`),r=n.filter(([,{reads:e}])=>true===e).map(([e])=>e);return[`agent-deploy ${e}: declarative deployments of agent servers, from CI`,"","agent-deploy <command> [files] [--flag value ...]",...t,`  read and print: ${r.join(", ")}`,"","The key comes from AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, never from a flag.","Exit: 0 fine, 1 red, 2 usage, 3 changes, 4 gate, 5 timed out, 130 cancelled","agent-deploy <command> --help, agent-deploy help inputs; first try: demo",""].join("\n")}function renderCommandHelp(e){const n=(0,a.vj)("cli").filter(n=>"command"!==n&&(0,a.OB)(n)?.on.includes(e)),t=flagsOf(e),r=n.filter(n=>isCommon(n,e)&&n!==(0,o.oO)(e)),i=t.filter(n=>!r.includes(n)&&n!==(0,o.oO)(e)),{doc:s,example:l=e}=o.Lo[e],d=n.includes("api-key")?["Key: AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, or --api-key-file"]:[];return[`agent-deploy ${e}${usage(e)} [--flag value ...]`,`${s[0].toUpperCase()}${s.slice(1)}.`,`Example: agent-deploy ${l}`,"",...r.map(e=>renderFlag(e,"brief")),...d,"",...0===r.length?["Flags:"]:["More flags:"],...i.map(e=>renderFlag(e,"brief")),""].join("\n")}function flagsOf(e){return(0,a.vj)("cli").filter(n=>{const t=(0,a.OB)(n),o="command"!==n&&true!==t.secret&&!t.doc.startsWith("Internal.");return o&&t.on.includes(e)})}function renderInputsHelp(){const e=(0,a.vj)("cli").filter(e=>"command"!==e&&(0,a.OB)(e)?.secret!==true),n=Object.keys(r.m).filter(e=>(0,a.OB)(e)?.secret);return[...e.map(e=>renderFlag(e,"whole")),"","Secrets, by environment variable only:",...n.map(e=>`  ${e.padEnd(14)}${(0,a.OB)(e).env.join(" or ")}`),""].join("\n")}function isCommon(e,n){const t=(0,a.OB)(e)?.secret===true?void 0:(0,a.OB)(e)?.common;return true===t||t?.includes(n)===true}function usage(e){const{words:n}=o.Lo[e];if(void 0!==n)return` ${n.join("|")}`;const t=(0,o.oO)(e);if("name"===t)return" NAME";return void 0===t?"":` [${({spec:"spec",experiment:"result",reports:"report"})[t]} files]`}function renderFlag(e,n){const t=(0,a.OB)(e),o=`--${true===t.default?`[no-]${e}`:e}${argument(e)}`,r=`  ${o.padEnd(28)} `,s=t.doc.replace(/`/g,""),l="brief"===n?firstSentence(e):s,d=l+(/ Default: /.exec(s)?.index===l.length?s.slice(l.length):""),c=d.includes("Default: ")?"":defaultNote(e),[f="",...u]=wrap(d+c,i-31);return[r+f,...u.map(e=>" ".repeat(31)+e)].join("\n")}function firstSentence(e){return/^.*?[.?](?= |$)/.exec((0,a.OB)(e).doc.replace(/`/g,""))[0]}function argument(e){const n=(0,a.OB)(e);if("boolean"===n.type)return"";if("enum"===n.type)return` ${n.values.join("|")}`;if("duration"===n.type)return" duration";if("integer"===n.type)return" n";if("object"===n.type)return" json";return` ${s.find(([n])=>n.test(e))?.[1]??("list"===n.type?"a,b":"text")}`}const s=[[/url$/,"url"],[/-id$/,"id"],[/^(spec|experiment|reports)$/,"files"],[/(file|baseline|mapping|output|state|scenario)$/,"file"],[/(^only|-name)$/,"name"],[/^confirm$/,"name"],[/^commit$/,"sha"],[/^expect-plan$/,"fingerprint"],[/^verify$/,"command"],[/^gate$/,"lines"],[/^host$/,"address"]];function defaultNote(e){const{default:n,type:t}=(0,a.OB)(e);if(void 0===n||"boolean"===t)return"";return` Default: ${Array.isArray(n)?n.join(","):String(n)}.`}function wrap(e,n){const t=[];let o="";for(const r of e.split(" "))if(""!==o&&o.length+1+r.length>n){t.push(o);o=r}else o=""===o?r:`${o} ${r}`;return[...t,o]}})};
