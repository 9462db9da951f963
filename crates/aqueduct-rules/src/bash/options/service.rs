//! Containers and clusters.

use super::OperandKind::{Copied, Files, Names, Never};
use super::Style::{Clusters, Dashes};
use super::{KnownProgram, command, program};

const LIST: &str =
    "-a -q -l -s -n= -f= --all --quiet --latest --size --no-trunc --last= --filter= --format= --digests";

const RUN: &str = "-i -t -d -e= -p= -P -u= -w= -h= -m= --rm --interactive --tty --detach --env= --publish= --publish-all --user= \
    --workdir= --name= --hostname= --memory= --cpus= --platform= --pull= --init --read-only --restart= --label= -l= --entrypoint= \
    --no-healthcheck --stop-timeout= --shm-size= --quiet -q";

const COMPOSE: &str = "-d --detach --build --no-build --force-recreate --no-recreate --no-deps --remove-orphans --wait --wait-timeout= \
    --pull= --quiet-pull --no-start --abort-on-container-exit --exit-code-from= --scale= --timeout= -t= -V --renew-anon-volumes -v \
    --volumes --rmi= --follow --tail= -n= --since= --until= --timestamps --no-color --no-log-prefix -q --quiet -a --all --services \
    --format= --status= --filter= --no-cache --parallel --images -s= --signal= --no-interpolate --hash= --dry-run";

const KUBECTL: &str = "-n= --namespace= -o= --output= -l= --selector= -A --all-namespaces -w --watch --watch-only --show-labels \
    --field-selector= --sort-by= --no-headers -L= --label-columns= --show-kind --ignore-not-found --chunk-size= --show-managed-fields \
    --show-events -v= --containers -c= --container= --timeout= --request-timeout= --for= --revision= --api-group= --namespaced \
    --verbs= --recursive --use-protocol-buffers --sum";

const TERRAFORM: &str = "-input= -no-color -lock= -lock-timeout= -parallelism= -target= -replace= -refresh= -refresh-only -destroy \
    -detailed-exitcode -compact-warnings -var= -var-file= -out= -json -raw -recursive -check -diff -list= -write= -upgrade \
    -reconfigure -migrate-state -get= -backend= -auto-approve -filter= -verbose -update -help";

const GH: &str = "-R= --repo= -t= --title= -b= --body= -F= --body-file= -B= --base= -H= --head= -d --draft -f --fill --fill-first \
    --fill-verbose -a= --assignee= -l= --label= -m= --milestone= -p= --project= -r= --reviewer= -w --web --json= -q= --jq= \
    --template= -s= --state= -S= --search= -L= --limit= -A= --author= -c --comments --comment= --watch --fail-fast --interval= \
    --required --rebase --squash --merge --auto --delete-branch --match-head-commit= --subject= --patch --name-only --color= --log \
    --log-failed --exit-status --job= -j= -v --verbose --failed --debug --attempt= -W= --workflow= --branch= -u= --user= --event= \
    --ref= -n= --name= --notes= --notes-file= --generate-notes --prerelease --latest? --verify-tag --target= --public --private \
    --description= --clone --add-label= --remove-label= --add-assignee= --remove-assignee= --add-reviewer= --remove-reviewer= \
    --reason= --yes --approve --request-changes --owner= --language= --sort= --order= --visibility= --fork --archived --topic= \
    --detach --force --all --created= --status= --commit= -D= --dir= --org= --active --hostname=";

pub(super) const PROGRAMS: &[KnownProgram] = &[
    program(
        "docker podman nerdctl",
        Clusters,
        "",
        &[
            command("ps|images|container ls|image ls|volume ls|network ls|container ps|image list|container list", &[LIST], Names),
            command("cp|container cp|compose cp", &["-a -q --archive --quiet --index= --all"], Copied),
            command("context ls|context show|context inspect|service ls|service ps|service logs|stack ls|stack ps|node ls|plugin ls", &[LIST], Names),
            command("plugin|context|swarm|service|stack|secret|extension|trust|node|save|export|load|import", &[], Never),
            command("logs|container logs", &["-f -t -n= --follow --tail= --since= --until= --timestamps --details"], Names),
            command("inspect|container inspect|image inspect|volume inspect|network inspect|history|top|port|stats|diff|version|info|events|search|system df|image history", &["-f= --format= -s --size --type= --no-stream --no-trunc -a --all -q --quiet -H --human -v --verbose --filter= --since= --until= --limit="], Names),
            command("start|stop|restart|pause|unpause|kill|wait|rename|rm|rmi|pull|push|tag|container rm|image rm|image prune|container prune|volume rm|network rm|network create|volume create|system prune|login|logout|image pull|builder prune", &["-f -a -t= -s= -v -q -l --force --all --time= --signal= --volumes --quiet --no-prune --link --platform= --filter= --disable-content-trust -i --interactive --attach"], Names),
            command("run|create|container run|container create", &[RUN], Names).until_operand(1),
            command("exec|container exec", &["-i -t -d -e= -u= -w= --interactive --tty --detach --env= --user= --workdir="], Names).until_operand(1),
            command("build|image build|buildx build", &["-f= --file= -t= --tag= --no-cache --pull? --quiet -q --progress= --target= --platform= --build-arg= --label= --rm --force-rm --squash --load"], Files),
            command("compose exec|compose run", &["-T -i -t -d -e= -u= -w= --rm --no-deps --env= --user= --workdir= --detach --build --name= --index= --service-ports -P"], Names).until_operand(1),
            command("compose logs|compose rm", &[COMPOSE, "-f --force -s --stop"], Names),
            command("compose", &[COMPOSE, "-f= --file="], Names),
            command("compose up|compose down|compose ps|compose build|compose pull|compose push|compose start|compose stop|compose restart|compose config|compose images|compose top|compose kill|compose ls|compose version|compose create|compose pause|compose unpause|compose port|compose events|compose watch", &[COMPOSE], Names),
            command("", &[], Names),
        ],
    ),
    program(
        "docker-compose podman-compose",
        Clusters,
        "",
        &[
            command("exec|run", &["-T -i -t -d -e= -u= -w= --rm --no-deps --env= --user= --workdir= --detach --build --name= --service-ports"], Names).until_operand(1),
            command("logs|rm", &[COMPOSE, "-f --force -s --stop"], Names),
            command("", &[COMPOSE, "-f= --file="], Names),
        ],
    ),
    program(
        "kubectl oc",
        Clusters,
        "-n= --namespace=",
        &[
            command("logs", &["-n= --namespace= -f --follow --tail= --since= --since-time= -p --previous -c= --container= --all-containers --timestamps --prefix -l= --selector= --max-log-requests= --limit-bytes= --ignore-errors"], Names),
            command("exec", &["-n= --namespace= -i -t --stdin --tty -c= --container= -q --quiet"], Names).handing_over(),
            command("get|describe|top|explain|api-resources|api-versions|rollout|wait|events|version|cluster-info|auth|config view|config current-context|config get-contexts|scale|label|annotate|expose|autoscale|cordon|uncordon", &[KUBECTL, "--replicas= --overwrite --list --current-replicas= --port= --target-port= --type= --min= --max= --dry-run="], Names),
            command("port-forward", &[KUBECTL, "--pod-running-timeout="], Names),
            command("config|proxy|plugin|debug|run|attach|edit|cp|kustomize|krew|replace|patch|drain", &[], Never),
            command("delete|create|apply", &[KUBECTL, "-f= --filename= --dry-run= --force --grace-period= --cascade= --all --wait? --now"], Names),
            command("set|taint|diff|completion|options|certificate|help", &[KUBECTL, "--dry-run= --force --grace-period= --cascade= --all --wait? --now"], Names),
            // Any other is a plugin.
            command("", &[], Never),
        ],
    ),
    program(
        "terraform tofu",
        Dashes,
        "-version -help -v",
        &[
            command(
                "plan|apply|destroy|refresh|validate|show|output|state|graph|providers|version|workspace|fmt|get|init|test|import|taint|\
                 untaint",
                &[TERRAFORM],
                Files,
            ),
            command("", &[], Never),
        ],
    ),
    program(
        "gh",
        Clusters,
        "",
        &[
            command(
                "pr|issue|repo|run|workflow|release|gist|label|search|status|project|ruleset|cache|org|browse|version|help|completion|\
                 auth status|config list|config get|alias list|extension list|secret list|variable list",
                &[GH],
                Files,
            ),
            command(
                "api",
                &["-X= --method= -H= --header= -f= --raw-field= -F= --field= -q= --jq= -t= --template= --paginate --slurp -i --include \
                   --silent --verbose --cache= --hostname= -p= --preview="],
                Names,
            ),
            // Settings, credentials, aliases and extensions, which are programs.
            command("", &[], Never),
        ],
    ),
];
