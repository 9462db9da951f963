//! Containers and clusters.

use super::Operands::{Files, Names, Never};
use super::Style::Clusters;
use super::{Program, command, program};

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

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "docker podman nerdctl",
        Clusters,
        "",
        &[
            command("ps|images|container ls|image ls|volume ls|network ls|container ps|image list|container list", &[LIST], Names),
            command("logs|container logs", &["-f -t -n= --follow --tail= --since= --until= --timestamps --details"], Names),
            command("inspect|container inspect|image inspect|volume inspect|network inspect|history|top|port|stats|diff|version|info|events|search|system df|image history", &["-f= --format= -s --size --type= --no-stream --no-trunc -a --all -q --quiet -H --human -v --verbose --filter= --since= --until= --limit="], Names),
            command("start|stop|restart|pause|unpause|kill|wait|rename|rm|rmi|pull|push|tag|container rm|image rm|image prune|container prune|volume rm|network rm|network create|volume create|system prune|login|logout|image pull|builder prune", &["-f -a -t= -s= -v -q -l --force --all --time= --signal= --volumes --quiet --no-prune --link --platform= --filter= --disable-content-trust -i --interactive --attach"], Names),
            command("run|create|container run|container create", &[RUN], Names).until_operand(1),
            command("exec|container exec", &["-i -t -d -e= -u= -w= --interactive --tty --detach --env= --user= --workdir="], Names).until_operand(1),
            command("build|image build|buildx build", &["-t= --tag= --no-cache --pull? --quiet -q --progress= --target= --platform= --build-arg= --label= --rm --force-rm --squash --load"], Files),
            command("compose exec|compose run", &["-T -i -t -d -e= -u= -w= --rm --no-deps --env= --user= --workdir= --detach --build --name= --index= --service-ports -P"], Names).until_operand(1),
            command("compose logs|compose rm", &[COMPOSE, "-f --force -s --stop"], Names),
            command("compose|compose up|compose down|compose ps|compose build|compose pull|compose push|compose start|compose stop|compose restart|compose config|compose images|compose top|compose kill|compose ls|compose version|compose create|compose pause|compose unpause|compose port|compose events|compose watch", &[COMPOSE], Names),
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
            command("", &[COMPOSE], Names),
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
            command("config|proxy|plugin|debug|run|attach|edit|cp|port-forward|kustomize|krew|replace|patch|drain", &[], Never),
            command("", &[KUBECTL, "--dry-run= --force --grace-period= --cascade= --all --wait? --now"], Names),
        ],
    ),
];
