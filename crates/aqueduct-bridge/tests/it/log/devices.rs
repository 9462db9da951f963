use aqueduct_bridge::log::{Grant, Hash, LogError, NewDevice, PairingOutcome, PushSubscription, Time};

use super::{NOON, Scene, later};

const CODE: Hash = [1; 32];

fn device(id: &str, token: u8) -> NewDevice {
    NewDevice {
        id: id.into(),
        kind: "device".into(),
        name: format!("Ada's {id}"),
        token_hash: [token; 32],
        public_key: None,
        grant: Grant::full(),
    }
}

#[tokio::test]
async fn a_device_is_known_by_its_token_until_it_is_revoked() {
    let scene = Scene::new();
    scene.log.add_device(device("phone", 10), NOON).await.unwrap();
    scene.log.add_device(device("laptop", 11), later(1)).await.unwrap();
    let scene = scene.reopen().await;
    let phone = scene.log.device_of_token([10; 32]).await.unwrap().unwrap();
    assert_eq!(
        (&*phone.id, &*phone.name, phone.created, phone.last_seen),
        ("phone", "Ada's phone", NOON, None)
    );
    assert_eq!(scene.log.device_of_token([12; 32]).await.unwrap(), None);

    scene.log.saw_device("phone", later(60)).await.unwrap();
    scene.log.saw_device("phone", later(30)).await.unwrap();
    let phone = scene.log.device_of_token([10; 32]).await.unwrap().unwrap();
    assert_eq!(phone.last_seen, Some(later(60)));

    scene.log.revoke_device("phone", later(90)).await.unwrap();
    assert_eq!(scene.log.device_of_token([10; 32]).await.unwrap(), None);
    let gone = LogError::NoDevice { id: "phone".into() };
    assert_eq!(scene.log.revoke_device("phone", later(91)).await.unwrap_err(), gone);
    assert_eq!(scene.log.saw_device("phone", later(91)).await.unwrap_err(), gone);
    let all: Vec<(String, Option<Time>)> =
        scene.log.devices().await.unwrap().into_iter().map(|device| (device.id, device.revoked)).collect();
    assert_eq!(all, [("phone".to_owned(), Some(later(90))), ("laptop".to_owned(), None)]);
    scene.log.save_revocations().await.unwrap();
    let scene = scene.reopen().await;
    assert_eq!(scene.log.device_of_token([10; 32]).await.unwrap(), None);
    assert_eq!(scene.log.revoke_device("phone", later(92)).await.unwrap_err(), gone);
}

#[tokio::test]
async fn a_device_with_a_key_has_no_token() {
    let scene = Scene::new();
    let phone = NewDevice { public_key: Some(vec![4; 65]), ..device("phone", 10) };
    scene.log.add_device(phone, NOON).await.unwrap();
    let scene = scene.reopen().await;
    assert_eq!(scene.log.device_of_token([10; 32]).await.unwrap(), None);
    let phone = scene.log.device("phone").await.unwrap().unwrap();
    assert_eq!(phone.public_key, Some(vec![4; 65]));
    assert_eq!(scene.log.device("laptop").await.unwrap(), None);
    scene.log.revoke_device("phone", later(1)).await.unwrap();
    assert_eq!(scene.log.device("phone").await.unwrap(), None);
}

#[tokio::test]
async fn a_pairing_code_lets_one_device_in() {
    let scene = Scene::new();
    scene.log.add_pairing(CODE, None, Grant::full(), NOON, later(600)).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..10 {
        let log = scene.log.clone();
        tasks.spawn(
            async move { log.pair(CODE, device(&format!("d{number}"), number), later(1)).await.unwrap() },
        );
    }
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.iter().filter(|paired| matches!(paired, PairingOutcome::Now { .. })).count(), 1);
    assert_eq!(outcomes.iter().filter(|paired| **paired == PairingOutcome::Used).count(), 9);
    assert_eq!(scene.log.devices().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_pairing_code_has_its_time() {
    let scene = Scene::new();
    scene.log.add_pairing(CODE, None, Grant::full(), NOON, later(600)).await.unwrap();
    assert_eq!(scene.log.pair(CODE, device("d", 2), later(600)).await.unwrap(), PairingOutcome::Expired);
    assert_eq!(scene.log.pair([3; 32], device("d", 2), NOON).await.unwrap(), PairingOutcome::Unknown);
    assert_eq!(scene.log.devices().await.unwrap(), []);
    assert_eq!(scene.log.pair(CODE, device("d", 2), later(599)).await.unwrap(), now("Ada's d"));
    // Long after, a new code clears the old ones away.
    scene.log.add_pairing([4; 32], None, Grant::full(), later(200_000), later(200_600)).await.unwrap();
    assert_eq!(scene.log.pair(CODE, device("e", 5), later(200_001)).await.unwrap(), PairingOutcome::Unknown);
}

/// If the device can't be added, the code is still good.
#[tokio::test]
async fn pairing_happens_as_a_whole() {
    let scene = Scene::new();
    scene.log.add_device(device("phone", 10), NOON).await.unwrap();
    scene.log.add_pairing(CODE, None, Grant::full(), NOON, later(600)).await.unwrap();
    assert!(scene.log.pair(CODE, device("phone", 11), later(1)).await.is_err());
    assert_eq!(scene.log.pair(CODE, device("tablet", 12), later(1)).await.unwrap(), now("Ada's tablet"));
}

#[tokio::test]
async fn a_pairing_may_name_the_device() {
    let scene = Scene::new();
    scene.log.add_pairing(CODE, Some("Kitchen".into()), Grant::full(), NOON, later(600)).await.unwrap();
    assert_eq!(scene.log.pair(CODE, device("tablet", 12), later(1)).await.unwrap(), now("Kitchen"));
    assert_eq!(scene.log.devices().await.unwrap()[0].name, "Kitchen");
}

fn now(name: &str) -> PairingOutcome {
    PairingOutcome::Now { name: name.into(), grant: Grant::full() }
}

#[tokio::test]
async fn push_subscriptions_go_with_their_device() {
    let scene = Scene::new();
    for (id, token) in [("phone", 10), ("laptop", 11)] {
        scene.log.add_device(device(id, token), NOON).await.unwrap();
    }
    let push = |device: &str, endpoint: &str, auth: &str| PushSubscription {
        device_id: device.into(),
        endpoint: endpoint.into(),
        p256dh: "key".into(),
        auth: auth.into(),
        content: auth == "new",
    };
    scene.log.put_push(push("phone", "https://push.example/1", "old"), NOON).await.unwrap();
    scene.log.put_push(push("phone", "https://push.example/1", "new"), NOON).await.unwrap();
    scene.log.put_push(push("phone", "https://push.example/2", "x"), NOON).await.unwrap();
    scene.log.put_push(push("laptop", "https://push.example/3", "x"), NOON).await.unwrap();
    scene.log.remove_push("https://push.example/2").await.unwrap();
    scene.log.remove_push("https://push.example/2").await.unwrap();
    let scene = scene.reopen().await;
    let (one, three) =
        (push("phone", "https://push.example/1", "new"), push("laptop", "https://push.example/3", "x"));
    assert_eq!(scene.log.pushes().await.unwrap(), [one.clone(), three.clone()]);
    assert!(scene.log.devices().await.unwrap().iter().all(|device| device.push));
    scene.log.revoke_device("phone", later(1)).await.unwrap();
    assert_eq!(scene.log.pushes().await.unwrap(), [three]);
    let revoked = scene.log.devices().await.unwrap().into_iter().find(|device| device.id == "phone").unwrap();
    assert!(!revoked.push);
    let error = scene.log.put_push(one, later(2)).await.unwrap_err();
    assert_eq!(error, LogError::NoDevice { id: "phone".into() });
}

/// Who may not see a session, or no longer may, receives nothing of it.
#[tokio::test]
async fn notifications_stay_in_the_root_and_end_with_the_credential() {
    let scene = Scene::new();
    let grant = |expires: Option<Time>, root: Option<&str>| Grant {
        expires,
        root: root.map(str::to_owned),
        ..Grant::full()
    };
    for (number, id, grant) in [
        (1, "everywhere", grant(None, None)),
        (2, "api", grant(None, Some("/proj/api"))),
        (3, "soon over", grant(Some(later(10)), None)),
    ] {
        let device = NewDevice { grant, ..device(id, number) };
        scene.log.add_device(device, NOON).await.unwrap();
        let push = PushSubscription {
            device_id: id.into(),
            endpoint: format!("https://push.example/{number}"),
            p256dh: "key".into(),
            auth: "secret".into(),
            content: true,
        };
        scene.log.put_push(push, NOON).await.unwrap();
    }
    let reported = async |folder: &str, now: Time| -> Vec<String> {
        let found = scene.log.pushes_for(folder, now).await.unwrap();
        found.into_iter().map(|push| push.device_id).collect()
    };
    assert_eq!(reported("/proj/api", NOON).await, ["everywhere", "api", "soon over"]);
    assert_eq!(reported("/proj/api/deeper", later(10)).await, ["everywhere", "api"]);
    for folder in ["/proj/api-secret", "/proj", "/", ""] {
        assert_eq!(reported(folder, NOON).await, ["everywhere", "soon over"], "{folder}");
    }
}
